/**
 * Replacements of HBase's own classes. They are in HBase's package to access members that are
 * visible only there.
 */
package org.apache.hadoop.hbase.regionserver;
