/**
 * The demo: the webtable of the Bigtable paper (Chang et al., 2006, section 2), built from a local
 * Maven repository. {@link dev.cairn.launcher.demo.MavenRepository} finds the artifacts; without a
 * repository, {@link dev.cairn.launcher.demo.JarPoms} does. {@link
 * dev.cairn.launcher.demo.PomReader} and {@link dev.cairn.launcher.demo.PomResolver} read what they
 * refer to, {@link dev.cairn.launcher.demo.WebtableLoader} writes the rows, and {@link
 * dev.cairn.launcher.demo.Questions} asks about them. Only HBase's public client API is used.
 */
package dev.cairn.launcher.demo;
