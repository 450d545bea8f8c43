/** Converts cells and mutations between HBase's classes and the engine's. */
package dev.cairn.coprocessor.convert;
