"""flicksim: flicking games played and studied properly."""

__version__ = "0.1.0"
