/**
 * The demo: the webtable of the Bigtable paper (Chang et al., 2006, section 2), with Maven
 * artifacts in place of web pages. {@link dev.cairn.launcher.demo.Artifact} reads the data, {@link
 * dev.cairn.launcher.demo.WebtableLoader} writes the rows, and {@link
 * dev.cairn.launcher.demo.Questions} asks about them. Only HBase's public client API is used.
 */
package dev.cairn.launcher.demo;
