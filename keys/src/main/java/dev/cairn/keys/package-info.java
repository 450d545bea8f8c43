/**
 * Row keys as a declaration: a {@link dev.cairn.keys.KeyFormat} is a list of typed parts, with
 * salts and hashes that spread them. Values enter and keys leave, and the other way round; from
 * some of the values it derives ranges, fuzzy keys and split points. Nothing here knows a database;
 * {@code dev.cairn.keys.client} does.
 */
package dev.cairn.keys;
