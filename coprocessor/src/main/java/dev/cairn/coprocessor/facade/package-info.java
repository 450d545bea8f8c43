/**
 * What coprocessors are given in the place of HBase's regions and servers. A method that is not
 * served throws {@link java.lang.UnsupportedOperationException} with its name.
 */
package dev.cairn.coprocessor.facade;
