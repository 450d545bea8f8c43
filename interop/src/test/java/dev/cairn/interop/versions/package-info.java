/**
 * Clients of other versions, and other clients, each in a JVM of its own. Their programs lie in
 * {@code src/test/clients} and are compiled against each client when the test runs; the build puts
 * the clients' jars into {@code target/clients}.
 */
package dev.cairn.interop.versions;
