/**
 * Case studies of keys and tables: the same facts in several designs, and the same questions asked
 * of each. A {@link dev.cairn.studies.Study} has facts, questions and {@link
 * dev.cairn.studies.Design}s; {@link dev.cairn.studies.Studies} lists all. Each study has a package
 * of its own. Everything here is a program of a user: it knows HBase's client and the library of
 * keys, and runs on Cairn and on Apache HBase. {@code bin/cairn bench study} measures it.
 */
package dev.cairn.studies;
