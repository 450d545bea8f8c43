/**
 * The folders that the settings name: the data folder and the folder of the logs, their locks and
 * the permissions of new files; and root directories that several servers share.
 */
package dev.cairn.launcher.folder;
