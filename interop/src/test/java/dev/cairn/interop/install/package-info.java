/** Tests of a moved installation, and of users' projects that depend on {@code cairn-testing}. */
package dev.cairn.interop.install;
