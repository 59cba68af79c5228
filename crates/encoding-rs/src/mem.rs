//! Text in memory that is UTF-8, UTF-16 or Latin-1.
