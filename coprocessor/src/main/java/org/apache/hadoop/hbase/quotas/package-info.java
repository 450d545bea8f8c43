/**
 * Objects in the place of HBase's own, in HBase's package because of what is visible there alone.
 */
package org.apache.hadoop.hbase.quotas;
