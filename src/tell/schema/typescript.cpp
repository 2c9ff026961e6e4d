#include "tell/schema/typescript.h"

#include <fmt/format.h>

#include <cctype>
#include <map>

namespace plimsoll {
namespace {

std::string type_of(const Json& schema);

std::string joined(const Json& list) {
  std::string text;
  for (const auto& one : list) {
    const std::string type = type_of(one);
    if (text == type || text.ends_with(" | " + type)) continue;
    text += (text.empty() ? "" : " | ") + type;
  }
  return text;
}

std::string plain(const std::string& type) {
  if (type == "integer" || type == "number") return "number";
  return type == "object" ? "Record<string, unknown>" : type;
}

std::string array_of(const std::string& entry) {
  return (entry.find(' ') == std::string::npos ? entry : "(" + entry + ")") + "[]";
}

std::string type_of(const Json& schema) {
  if (schema.contains("$ref")) return schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
  if (schema.contains("const")) return schema["const"].dump();
  if (schema.contains("enum")) {
    std::string text;
    for (const auto& value : schema["enum"]) text += (text.empty() ? "" : " | ") + value.dump();
    return text;
  }
  if (schema.contains("anyOf")) return joined(schema["anyOf"]);
  if (!schema.contains("type")) return "unknown";
  if (schema["type"].is_array()) {
    std::string text;
    for (const auto& type : schema["type"]) text += (text.empty() ? "" : " | ") + plain(type.get<std::string>());
    return text;
  }
  const std::string type = schema["type"];
  if (type == "array") return array_of(type_of(schema["items"]));
  if (type == "object" && schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    return fmt::format("Record<string, {}>", type_of(schema["additionalProperties"]));
  return plain(type);
}

std::string interface_of(const std::string& name, const Json& schema) {
  std::string text = fmt::format("export interface {} {{\n", name);
  const Json required = schema.value("required", Json::array());
  for (const auto& [key, field] : schema["properties"].items()) {
    const bool always = std::find(required.begin(), required.end(), key) != required.end();
    const std::string help = field.value("description", "");
    const std::string type = key == "schema" ? "string" : type_of(field);
    text += fmt::format("  {}{}: {};{}\n", key, always ? "" : "?", type, help.empty() ? "" : " // " + help);
  }
  return text + "}\n";
}

// "fit.request" → "FitRequest"
std::string request_name(std::string name) {
  name = name.substr(0, name.find('.'));
  name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
  return name + "Request";
}

}  // namespace

std::string typescript(const std::vector<SchemaFile>& schemas) {
  std::map<std::string, std::string> interfaces;
  for (const auto& [name, schema] : schemas) {
    if (name.ends_with(".request")) interfaces[request_name(name)] = interface_of(request_name(name), schema);
    if (schema.contains("$defs"))
      for (const auto& [type, definition] : schema["$defs"].items()) interfaces[type] = interface_of(type, definition);
    const Json forms = schema.contains("oneOf") ? schema["oneOf"] : Json::array({schema});
    for (const auto& form : forms)
      if (form.contains("title") && !name.ends_with(".request"))
        interfaces[form["title"]] = interface_of(form["title"], form);
  }
  std::string text = "// Written by `make schema` from the rows of requests and answers. Do not edit.\n";
  for (const auto& [name, body] : interfaces) text += "\n" + body;
  return text;
}

}  // namespace plimsoll
