/**
 * The names and paths of store files in HBase's data folder: the meaning of a file's name ({@link
 * dev.cairn.engine.layout.StoreFileName}: a file, a link to one, a reference to half of one), the
 * directory of a store's files and their archive. Knows formats, opens nothing.
 */
package dev.cairn.engine.layout;
