/** Names that Hadoop's relocated classes mention, but its jar does not contain. */
package org.apache.hadoop.shaded.org.apache.zookeeper.client;
