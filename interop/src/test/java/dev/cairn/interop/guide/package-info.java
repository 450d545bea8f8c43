/**
 * The examples of HBase's reference guide, chapters "Data Model" and "HBase and Schema Design", as
 * tests: each does what an example does, through HBase's own client, and expects what the guide
 * says. Classes and methods are named after the guide's sections.
 */
package dev.cairn.interop.guide;
