/**
 * Tests of secondary indexes: the answers of indexed tables are those of tables without indexes.
 */
package dev.cairn.interop.index;
