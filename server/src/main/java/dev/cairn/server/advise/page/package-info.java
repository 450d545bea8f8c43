/**
 * The page of the adviser, and the address where {@code bin/cairn advise} fetches what a server
 * knows of a table. Imports {@code page}.
 */
package dev.cairn.server.advise.page;
