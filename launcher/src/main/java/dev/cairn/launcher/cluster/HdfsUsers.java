package dev.cairn.launcher.cluster;

import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The users of a cluster's own HDFS. Only the processes of HDFS run as its superuser. Cairn and its
 * clients run as the user of this process, an ordinary user with some directories of its own, as in
 * a cluster of several machines.
 */
final class HdfsUsers {
  private static final String SUPERUSER = "hdfs";
  private static final String USER_VARIABLE = "HADOOP_USER_NAME";
  private static final FsPermission FOR_ALL = new FsPermission("1777");

  private HdfsUsers() {}

  /** Returns the environment that makes a process the superuser. */
  static Map<String, String> superuser() {
    return Map.of(USER_VARIABLE, SUPERUSER);
  }

  /**
   * Creates the directories that the first start needs, unless they exist: the servers' directory
   * and a home, which belong to the user, and a directory to which all users may write.
   *
   * @param root the URL of the servers' directory
   */
  static void createDirectories(String root) throws IOException, InterruptedException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    UserGroupInformation.createRemoteUser(SUPERUSER)
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  createDirectories(URI.create(root), user.getShortUserName());
                  return null;
                });
  }

  private static void createDirectories(URI root, String user) throws IOException {
    try (FileSystem files = FileSystem.newInstance(root, new Configuration())) {
      for (Path owned : new Path[] {new Path(root), new Path("/user", user)}) {
        if (!files.exists(owned)) {
          files.mkdirs(owned);
          files.setOwner(owned, user, null);
        }
      }
      Path shared = new Path("/tmp");
      if (!files.exists(shared)) {
        files.mkdirs(shared);
        files.setPermission(shared, FOR_ALL);
      }
    }
  }
}
