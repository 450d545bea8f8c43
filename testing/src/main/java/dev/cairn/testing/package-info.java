/**
 * A Cairn inside your JVM, for unit tests: {@link dev.cairn.testing.CairnServer} starts and stops as often as a test
 * likes, {@link dev.cairn.testing.CairnExtension} does so for JUnit 5. Tests talk to it through Apache's own client.
 */
package dev.cairn.testing;
