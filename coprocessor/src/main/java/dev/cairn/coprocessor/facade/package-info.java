/**
 * Implements HBase's regions and servers for coprocessors. A method that is not served throws
 * {@link java.lang.UnsupportedOperationException} with its name.
 */
package dev.cairn.coprocessor.facade;
