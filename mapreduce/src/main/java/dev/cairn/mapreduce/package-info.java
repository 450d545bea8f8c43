/**
 * {@code bin/cairn mapreduce}: runs the unmodified MapReduce jobs of Apache HBase, and programs of
 * users, with the settings of Cairn's configuration folder. {@link dev.cairn.mapreduce.MapReduce}
 * calls the {@code main} method of a job; {@link dev.cairn.launcher.apache.SettingsClassLoader}
 * lets the job find the settings as if they were on its class path.
 */
package dev.cairn.mapreduce;
