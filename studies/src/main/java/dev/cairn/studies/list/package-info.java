/** A list of values for each user: in one cell, in pages, in columns or in rows. */
package dev.cairn.studies.list;
