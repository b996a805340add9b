"""Lean workers: one module for each kind."""
