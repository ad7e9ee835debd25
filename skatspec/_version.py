"""The version, alone in a file so that `skatspec --version` and the build read one place."""

__version__ = "0.1.0"
