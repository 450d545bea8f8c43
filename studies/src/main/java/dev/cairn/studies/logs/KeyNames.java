package dev.cairn.studies.logs;

/** What keys have for the names of hosts and types. */
enum KeyNames {
  /** The names. */
  NAMES,
  /** Hashes of them. The names are in cells, as they cannot be read back. */
  HASHES,
  /** Numbers, which a table gives to them. */
  NUMBERS
}
