"""Features in groups of equal weight, learnt by OSCAR (Liu, Zhao, Watanabe and Sumita, 2013)."""
