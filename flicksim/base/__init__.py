"""The ground floor: errors, units, plane geometry, seeding and notation. It knows of no table and no game.

Every file of it is a door: take what you need from where it stands.
"""
