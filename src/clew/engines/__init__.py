"""Engines: functions that ask the store, ask a rule and tell the store."""
