/** Long names in keys: as they are, hashed, or as numbers. */
package dev.cairn.studies.names;
