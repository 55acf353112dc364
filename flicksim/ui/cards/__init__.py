"""Tables at which cards and tiles are played: the cloth, the hand, plates and sheets."""
