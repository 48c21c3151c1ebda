"""A model's arrays, checked: what is no number, what is no distribution, and what does not follow from the rest."""
