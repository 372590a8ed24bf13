"""Run-time checks of promises and coordinates."""
