"""Match screens for any game: self-reports, undo, replay, analysis, saving."""
