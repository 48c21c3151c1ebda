"""The screen: Textual and plotext over the model."""
