/** HBase's cells and mutations in place of the engine's, and back. */
package dev.cairn.coprocessor.convert;
