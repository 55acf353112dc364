"""The ground floor: errors, units, plane geometry, seeding and notation. It knows of no table and no game."""
