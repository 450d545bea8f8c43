/**
 * Types of the parts of a row key: how a value is written as bytes that sort as the values do, and
 * how it is read back. A value and a {@link dev.cairn.keys.type.KeyOutput} enter a type; the bytes
 * of one part leave it. A type knows nothing of the parts beside it, except whether its part ends
 * the key.
 */
package dev.cairn.keys.type;
