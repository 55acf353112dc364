"""Questions put to many shots: experiments, results, plots, environments for learning agents."""
