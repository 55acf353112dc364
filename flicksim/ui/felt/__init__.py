"""The card wing on the screen: cloth, cards, tiles, tokens. It is handed a seat's view and draws nothing else."""
