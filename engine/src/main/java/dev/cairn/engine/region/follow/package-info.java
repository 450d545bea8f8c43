/** The memory of a replica, which follows the feed of its region. */
package dev.cairn.engine.region.follow;
