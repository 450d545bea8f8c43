/**
 * MOB families: values above a threshold lie in files of their own, and the store files hold cells
 * that refer to them. {@link dev.cairn.engine.mob.MobWriter} sits between what a flush or a
 * compaction writes and its store file, {@link dev.cairn.engine.mob.MobReader} between a scan's
 * cells and whoever asked for them. Files, names and tags are HBase's.
 */
package dev.cairn.engine.mob;
