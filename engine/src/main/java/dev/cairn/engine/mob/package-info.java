/**
 * MOB families: values above a threshold lie in files of their own, and the store files hold cells
 * that refer to them. {@link dev.cairn.engine.mob.MobWriter} sits between a flush or compaction and
 * its store file, {@link dev.cairn.engine.mob.MobReader} between a scan and its caller. Files,
 * names and tags are HBase's.
 */
package dev.cairn.engine.mob;
