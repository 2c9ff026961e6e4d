// Nothing but another source: with it the one beside it is compiled in a batch, as sources usually are.
