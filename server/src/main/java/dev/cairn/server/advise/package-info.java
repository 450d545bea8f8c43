/**
 * Advises on a table: from some of its calls ({@link dev.cairn.server.traffic.sample.CallStep}),
 * its descriptor, its regions and what its store files say, {@link dev.cairn.server.advise.Adviser}
 * finds what the guide of HBase warns of. Each {@link dev.cairn.server.advise.Finding} has its
 * evidence, and proposals whose effect is computed by replaying the calls. Pure: reads no server
 * and no clock. Imports {@code traffic} and {@code loadsplit}.
 */
package dev.cairn.server.advise;
