/**
 * The checks of {@code cairn doctor}: the settings, the state of the server or the cluster, the
 * addresses advertised to clients, connections from this host and from others, and the machine and
 * JVM settings that HBase's guide recommends. Each check adds {@link
 * dev.cairn.tools.doctor.Finding}s to a {@link dev.cairn.tools.doctor.Diagnosis}.
 */
package dev.cairn.tools.doctor;
