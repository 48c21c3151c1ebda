"""The mathematics, against an independent oracle, recorded figures and its properties."""
