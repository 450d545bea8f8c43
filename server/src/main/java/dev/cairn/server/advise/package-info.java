/**
 * Advises on a table. {@link dev.cairn.server.advise.Adviser} finds problems that HBase's guide
 * warns of. It reads some calls of the table ({@link dev.cairn.server.traffic.sample.CallStep}),
 * its descriptor, its regions and the figures of its store files. Each {@link
 * dev.cairn.server.advise.Finding} has its evidence, and proposals whose effect is computed by
 * replaying the calls. Pure: reads no server and no clock. Imports {@code traffic} and {@code
 * loadsplit}.
 */
package dev.cairn.server.advise;
