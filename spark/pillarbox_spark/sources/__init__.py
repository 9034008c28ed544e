"""Adapters of the formats that ship. The one place here that knows what their fields are called."""
