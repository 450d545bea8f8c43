/**
 * The checks of {@code cairn doctor}: what a client is told and whether it works, from this host
 * and from others, and whether the machine and the JVM follow the advice of HBase's guide. Each
 * check adds {@link dev.cairn.launcher.doctor.Finding}s to a {@link
 * dev.cairn.launcher.doctor.Diagnosis}.
 */
package dev.cairn.launcher.doctor;
