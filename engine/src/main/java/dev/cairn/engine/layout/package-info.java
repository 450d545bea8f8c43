/**
 * The names and places of HBase's data folder, as far as store files go: what a file's name says
 * ({@link dev.cairn.engine.layout.StoreFileName}: a file, a link to one, a reference to half of
 * one), where a store's files lie and where they are archived. Knows formats, opens nothing.
 */
package dev.cairn.engine.layout;
