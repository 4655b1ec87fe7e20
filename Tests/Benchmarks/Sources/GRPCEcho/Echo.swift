public import GRPCCore
public import SwiftProtobuf

/// echo.v1.Msg has the wire form of StringValue, so nothing is generated for it.
public typealias Msg = Google_Protobuf_StringValue

/// `echo.v1.Echo/Unary`.
public let unaryEcho = MethodDescriptor(fullyQualifiedService: "echo.v1.Echo", method: "Unary")
/// `echo.v1.Echo/Expand`.
public let expandEcho = MethodDescriptor(fullyQualifiedService: "echo.v1.Echo", method: "Expand")
/// `echo.v1.Echo/Collect`.
public let collectEcho = MethodDescriptor(fullyQualifiedService: "echo.v1.Echo", method: "Collect")
