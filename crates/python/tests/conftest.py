"""Settings of all tests."""

from hypothesis import settings

# A test that runs beside others on a busy machine is slow, and not wrong.
settings.register_profile("without a deadline", deadline=None)
settings.load_profile("without a deadline")
