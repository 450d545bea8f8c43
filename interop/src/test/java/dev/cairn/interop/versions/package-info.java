/**
 * Tests with clients of other versions, and with other clients, each in a JVM of its own. The tests
 * compile the programs in {@code src/test/clients} against each client. The build puts the clients'
 * jars into {@code target/clients}.
 */
package dev.cairn.interop.versions;
