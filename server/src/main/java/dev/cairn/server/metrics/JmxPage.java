package dev.cairn.server.metrics;

import dev.cairn.server.json.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Renders beans as JSON, as Hadoop's servlet does at {@code /jmx}: those of a registry, and all
 * other beans of the JVM, such as those that a coprocessor registers itself. The beans of other
 * servers in this JVM are left out. Thread-safe.
 */
public final class JmxPage {
  private static final String TYPE = "modelerType";

  private final MetricRegistry registry;
  private final Supplier<MBeanServer> jvm;

  /** A bean's attributes, or the error of the query. */
  private record Bean(String name, String type, Map<String, Object> attributes) {}

  /**
   * Creates the page.
   *
   * @param jvm returns the JVM's own beans; asked at the first request
   */
  public JmxPage(MetricRegistry registry, Supplier<MBeanServer> jvm) {
    this.registry = registry;
    this.jvm = jvm;
  }

  /**
   * Returns the beans whose names match a pattern.
   *
   * @param pattern an {@link ObjectName}, perhaps with wildcards; without one there are no beans
   */
  public String query(String pattern) {
    Optional<ObjectName> wanted = parse(pattern);
    if (wanted.isEmpty()) {
      return "{}";
    }
    return json(beans(wanted.get()));
  }

  /**
   * Returns one attribute of the beans whose names match a pattern.
   *
   * @param query the pattern, two colons, and the name of the attribute
   */
  public String attribute(String query) {
    int divider = query.indexOf("::");
    if (divider <= 0 || divider + 2 >= query.length()) {
      return error("query format is not as expected.");
    }
    Optional<ObjectName> wanted = parse(query.substring(0, divider));
    if (wanted.isEmpty()) {
      return error("query format is not as expected.");
    }
    String attribute = query.substring(divider + 2);
    return json(
        beans(wanted.get()).stream()
            .map(bean -> new Bean(bean.name(), bean.type(), only(bean, attribute)))
            .toList());
  }

  private static Map<String, Object> only(Bean bean, String attribute) {
    Object value = bean.attributes().get(attribute);
    Map<String, Object> one = new LinkedHashMap<>();
    if (value == null) {
      one.put("result", "ERROR");
      one.put("message", "No attribute with name " + attribute + " was found.");
    } else {
      one.put(attribute, value);
    }
    return one;
  }

  private static Optional<ObjectName> parse(String pattern) {
    try {
      return Optional.of(new ObjectName(pattern));
    } catch (MalformedObjectNameException e) {
      return Optional.empty();
    }
  }

  private List<Bean> beans(ObjectName wanted) {
    Map<String, Bean> sorted = new TreeMap<>();
    for (MetricRecord record :
        registry.read(name -> parse(name.bean()).map(wanted::apply).orElse(false))) {
      Map<String, Object> attributes = new LinkedHashMap<>();
      record.tags().forEach((tag, value) -> attributes.put("tag." + tag, value));
      HBaseAttributes.of(record)
          .forEach(attribute -> attributes.put(attribute.name(), attribute.value()));
      sorted.put(
          record.name().bean(), new Bean(record.name().bean(), record.name().type(), attributes));
    }
    MBeanServer beans = jvm.get();
    for (ObjectName name : beans.queryNames(wanted, null)) {
      if (!sorted.containsKey(name.toString()) && !isRecord(beans, name)) {
        read(beans, name).ifPresent(bean -> sorted.put(bean.name(), bean));
      }
    }
    return new ArrayList<>(sorted.values());
  }

  /** Tells whether a bean is that of a registry, perhaps of another server; or is gone. */
  private static boolean isRecord(MBeanServer beans, ObjectName name) {
    try {
      return RecordName.isOurs(name.toString())
          && beans.isInstanceOf(name, RecordBean.class.getName());
    } catch (InstanceNotFoundException e) {
      return true;
    }
  }

  /** Reads a bean of the JVM; empty if it is gone. */
  private static Optional<Bean> read(MBeanServer beans, ObjectName name) {
    MBeanInfo info;
    try {
      info = beans.getMBeanInfo(name);
    } catch (JMException e) {
      return Optional.empty();
    }
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (MBeanAttributeInfo attribute : info.getAttributes()) {
      String own = attribute.getName();
      if (attribute.isReadable() && !own.equals(TYPE) && !own.matches(".*[=: ].*")) {
        try {
          Object value = beans.getAttribute(name, own);
          if (value != null) {
            attributes.put(own, value);
          }
        } catch (JMException | RuntimeMBeanException | UnsupportedOperationException e) {
          // This JVM does not support the attribute.
        }
      }
    }
    return Optional.of(new Bean(name.toString(), info.getClassName(), attributes));
  }

  private static String json(List<Bean> beans) {
    return written(
        json -> {
          json.beginObject().name("beans").beginArray();
          for (Bean bean : beans) {
            json.beginObject().name("name").value(bean.name()).name(TYPE).value(bean.type());
            for (Map.Entry<String, Object> attribute : bean.attributes().entrySet()) {
              json.name(attribute.getKey());
              JmxValue.write(attribute.getValue(), json);
            }
            json.endObject();
          }
          json.endArray().endObject();
        });
  }

  private static String error(String message) {
    return written(
        json ->
            json.beginObject()
                .name("result")
                .value("ERROR")
                .name("message")
                .value(message)
                .endObject());
  }

  private interface Writing {
    void write(JsonWriter json) throws IOException;
  }

  private static String written(Writing writing) {
    return JsonText.indented(
        json -> {
          writing.write(json);
        });
  }
}
