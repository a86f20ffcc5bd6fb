// Stands in for the package `server-only` in tests: the real one throws outside a server bundle.
export {};
